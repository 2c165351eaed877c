// Addresses of subscriptions in a column: however long they are, the columns behind them stay on the screen.
import { Text } from '../../components/text.ts'

export function SubscriptionNames({ children }: { children: string }) {
  return (
    <Text size="sm" miw="8rem" className="wds-break">
      {children}
    </Text>
  )
}
