// The look of all pages: colours that keep WCAG AA in both schemes (ui.md 7), the system's fonts, no shadows where a line will do.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** From the ground of hints to the darkest; the eighth is the green of the icon and of the pages of auth. */
const green: MantineColorsTuple = [
  '#ecf8f5',
  '#d6efe9',
  '#b0dfd5',
  '#8fd3c4',
  '#63bba9',
  '#3fa28f',
  '#2a8a78',
  '#1b7365',
  '#0f5f54',
  '#0a463e',
]

const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif'
const fontFamilyMonospace = 'ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", Menlo, monospace'

export const theme = createTheme({
  colors: { brand: green },
  primaryColor: 'brand',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  fontFamily,
  fontFamilyMonospace,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.125rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
})

/** No library passes AA as shipped: these lines mend what axe found (ui.md 7). */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-green-light-color': '#1b5e20',
    '--mantine-color-yellow-light-color': '#6b4600',
    '--mantine-color-orange-light-color': '#8a3b00',
    '--mantine-color-red-light-color': '#9b1c1c',
    '--mantine-color-blue-light-color': '#1558a6',
    '--mantine-color-gray-light-color': '#3b4248',
    '--mantine-color-brand-light-color': '#0f5f54',
    '--mantine-color-anchor': '#0f5f54',
    '--mantine-color-error': '#b42318',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-anchor': '#8fd3c4',
    '--mantine-color-yellow-light': '#352a10',
    '--mantine-color-yellow-light-color': '#f7d98b',
    '--mantine-color-red-light': '#3a1d1b',
    '--mantine-color-brand-light': '#123a34',
    '--mantine-color-brand-light-color': '#8fd3c4',
    '--mantine-color-brand-outline': '#8fd3c4',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-red-light-color': '#ffb1aa',
    '--mantine-color-gray-light-color': '#d5dadd',
  },
})
