// What an invoice is made of (domain.md 3.7): its state, what may be asked of it, what has happened to it, why it refuses. Amounts are minor
// units of one currency; instants are epoch milliseconds, dates those of the invoice's zone.
import type { InvoiceStatus } from '@wds/contracts/states'
import type { InvalidState } from '@wds/decider/decider'
import type { BillTo, Issuer } from '../../parties/domain/party.ts'
import type { InvoiceLine, Payment } from './amounts.ts'

export type InvoiceKind = 'invoice' | 'credit_note'
export type SendChannel = 'manual' | 'email' | 'portal'
export type DisputeReason = 'amount' | 'period' | 'quality' | 'duplicate' | 'other'

/** What an invoice bills of a day: its whole amount, or what a correction adds to it. */
export interface BilledDay {
  day: string
  /** As a decimal: sums of many campaigns stay exact. */
  amount: string
  revision: number
}

export interface InvoiceFields {
  kind: InvoiceKind
  brand_slug: string
  /** Whole days, both inclusive; a credit note has that of the invoice it corrects. */
  period: { from: string; to: string }
  time_zone: string
  currency: string
  /** The invoice that a credit note corrects. */
  replaces: string | null
  /** Null in a draft: 30 days after it is generated. */
  due: string | null
  memo: string | null
  metadata: Record<string, string>
  lines: InvoiceLine[]
}

export interface Dispute {
  reason: DisputeReason
  openedMs: number
  note: string | null
}

/** A credit note that corrects the invoice, generated and not void. */
export interface Credit {
  id: string
  /** Its total; negative where it gives back. */
  amount: number
}

export interface InvoiceState {
  status: 'none' | InvoiceStatus
  fields: InvoiceFields | null
  number: string | null
  billed: BilledDay[]
  payments: Payment[]
  dispute: Dispute | null
  issuedMs: number | null
  sentMs: number | null
  paidMs: number | null
  voidedMs: number | null
  /** In their order. */
  credits: Credit[]
  /** As they were when it was generated; null in a draft, and an issuer that was not told. */
  issuer: Issuer | null
  bill_to: BillTo | null
}

/** What a PATCH may change. `lines`: those that people added, replaced as a whole. */
export interface InvoicePatch {
  memo?: string | null
  metadata?: Record<string, string>
  due?: string | null
  lines?: InvoiceLine[]
}

export type InvoiceCommand =
  | { type: 'create'; fields: InvoiceFields }
  | { type: 'update'; patch: InvoicePatch; today: string }
  /** `lines` are drawn anew of the numbers that are final by now. */
  | {
      type: 'generate'
      number: string
      lines: InvoiceLine[]
      billed: BilledDay[]
      due: string
      /** By which the days were cut. */
      timeZone: string
      issuer: Issuer | null
      billTo: BillTo
      /** What a credit note may give back at most; null of an invoice. */
      creditable: number | null
      atMs: number
    }
  | { type: 'send'; channel: SendChannel; atMs: number }
  | { type: 'record_payment'; payment: Payment; atMs: number }
  | { type: 'mark_overdue'; today: string; daysOverdue: number }
  | { type: 'dispute'; reason: DisputeReason; note: string | null; atMs: number }
  | { type: 'resolve_dispute' }
  | { type: 'void'; atMs: number }
  /** A credit note that corrects it was generated. */
  | { type: 'note_credit'; credit: Credit }
  /** One was made void. */
  | { type: 'withdraw_credit'; id: string }

type Nothing = Record<never, never>
export type InvoiceEvent =
  | { type: 'InvoiceDrafted'; data: { fields: InvoiceFields } }
  | { type: 'InvoiceUpdated'; data: { patch: InvoicePatch; changed: string[]; status: InvoiceStatus } }
  | {
      type: 'InvoiceGenerated'
      data: {
        number: string
        lines: InvoiceLine[]
        billed: BilledDay[]
        due: string
        time_zone: string
        /** Of events before it was known who is named: missing. */
        issuer?: Issuer | null
        bill_to?: BillTo
        at_ms: number
      }
    }
  | { type: 'InvoiceSent'; data: { channel: SendChannel; at_ms: number } }
  | { type: 'PaymentRecorded'; data: { payment: Payment } }
  | { type: 'InvoicePaid'; data: { at_ms: number } }
  | { type: 'InvoiceFellOverdue'; data: { due: string; days_overdue: number } }
  | { type: 'InvoiceDisputed'; data: { reason: DisputeReason; note: string | null; at_ms: number } }
  | { type: 'DisputeResolved'; data: Nothing }
  | { type: 'InvoiceVoided'; data: { at_ms: number } }
  /** `amount`: the credit note's total; missing in events before it was counted. */
  | { type: 'InvoiceReplaced'; data: { by: string; amount?: number } }
  | { type: 'ReplacementWithdrawn'; data: { by: string } }

export type InvoiceRejection =
  | InvalidState
  | { code: 'invoice_has_payments' }
  /** `amountDue`: what may still be paid. */
  | { code: 'overpayment'; amountDue: number; currency: string }
  | { code: 'already_exists'; reference: string }
  | { code: 'limit_reached' }
  | { code: 'amount_overflow' }
  | { code: 'total_negative'; total: number; currency: string }
  | { code: 'nothing_to_invoice' }
  /** `creditable`: what credit notes may still give back of the invoice. */
  | { code: 'credit_too_large'; creditable: number; currency: string }
  /** From `generated` on. */
  | { code: 'lines_are_fixed'; current_status: string; allowed: string[] }
  /** From `generated` on a due date only moves to a later date than this one. */
  | { code: 'due_not_later'; due: string | null }
