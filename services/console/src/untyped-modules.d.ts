// What the bundler knows and the type checker does not. Icons are imported one by one, since their index alone is 5,000 files; the single
// files come without types.
declare module '@tabler/icons-react/dist/esm/icons/*' {
  import type { ComponentType } from 'react'

  const Icon: ComponentType<{ size?: number | string; stroke?: number; 'aria-hidden'?: boolean }>
  // biome-ignore lint/style/noDefaultExport: as the package has it
  export default Icon
}

declare module '*.css'

declare module '*?raw' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: as the bundler has it
  export default text
}
