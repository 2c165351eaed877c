// Hands a text to the browser as a file, whatever it holds: nothing of it is opened.

export function saveFile(content: string | Blob, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
