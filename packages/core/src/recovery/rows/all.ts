// Every refusal that was seen somewhere, by where it was found. Used by tests only.

import { formRows } from './form.ts'
import { foundMessageRows } from './found-messages.ts'
import { foundOtherRows } from './found-other.ts'
import { foundOverflowRows } from './found-overflow.ts'
import { limitRows } from './limits.ts'
import { moreFoundMessageRows } from './more-found-messages.ts'
import { moreFoundOverflowRows } from './more-found-overflow.ts'
import { morePairingRows } from './more-pairing.ts'
import { otherRows } from './other.ts'
import { overflowRows } from './overflow.ts'
import { pairingRows } from './pairing.ts'
import type { ErrorRow } from './row.ts'
import { thinkingRows } from './thinking.ts'

/** The reference set, 138 rows. */
export const referenceRows: readonly ErrorRow[] = [
  ...overflowRows,
  ...pairingRows,
  ...morePairingRows,
  ...formRows,
  ...thinkingRows,
  ...limitRows,
  ...otherRows,
]

/** What was found besides. */
export const foundRows: readonly ErrorRow[] = [
  ...foundOverflowRows,
  ...moreFoundOverflowRows,
  ...foundMessageRows,
  ...moreFoundMessageRows,
  ...foundOtherRows,
]

export const seenRows: readonly ErrorRow[] = [...referenceRows, ...foundRows]
