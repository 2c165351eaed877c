// What is used of it; it comes without types.
declare module 'nspell' {
  // biome-ignore lint/style/noDefaultExport: the package exports nothing else
  export default function nspell(dictionary: { aff: Uint8Array; dic: Uint8Array }): {
    correct(word: string): boolean
  }
}
