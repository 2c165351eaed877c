// The library's own needs: theme, colours, and the nonce for the styles that it writes at run time, at both places (ui.md 7).
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import type { ReactNode } from 'react'
import { cssVariablesResolver, theme } from '../theme.ts'
import './styles.ts'

const colorSchemeManager = localStorageColorSchemeManager({ key: 'wds-color-scheme' })

/** `nonce`: of the document's CSP. The scroll lock of dialogs takes it from `get-nonce`. */
export function DesignProvider({ nonce, children }: { nonce: string; children: ReactNode }) {
  setNonce(nonce)
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  )
}
