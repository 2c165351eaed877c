// Says how far the billing of a month has come, which goes over more than one transaction (decision 99).

export interface Billed {
  /** Invoices. */
  made: number
  /** Of the first refusal; it undoes nothing of the others. */
  refusal: string | null
  /** Slug of the brand that was looked at last; null: there is no other one. */
  after: string | null
}

export const nothingBilled: Billed = { made: 0, refusal: null, after: '' }
