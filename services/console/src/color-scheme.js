// Sets the colours before the first paint. A file of its own, since the page allows no inline script (ui.md 7).
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('wds-color-scheme')
  } catch {
    // Storage is off: the system decides.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
