// An error of one page stays on that page: navigation and the rest of the console go on.
import { Component, type ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'

interface State {
  error: Error | null
}

/** `resetKey`: another one is another page, which begins without the error. */
export class ErrorBoundary extends Component<{ children: ReactNode; resetKey: string }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidUpdate(previous: { resetKey: string }): void {
    if (previous.resetKey !== this.props.resetKey && this.state.error !== null) this.setState({ error: null })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return <ProblemNote error={error} onTryAgain={() => this.setState({ error: null })} />
  }
}
