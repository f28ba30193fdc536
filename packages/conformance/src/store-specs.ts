// The contract in one list, group by group, in the order it is reported.

import type { Spec, SpecGroup } from './spec.ts'
import { errorSpecs } from './specs/errors.ts'
import { importSpecs } from './specs/import.ts'
import { importAgainSpecs } from './specs/import-again.ts'
import { importRefusedSpecs } from './specs/import-refused.ts'
import { lifecycleSpecs } from './specs/lifecycle.ts'
import { listFilterSpecs } from './specs/lists-filter.ts'
import { listOrderSpecs } from './specs/lists-order.ts'
import { listPagingSpecs } from './specs/lists-paging.ts'
import { listShownSpecs } from './specs/lists-shown.ts'
import { messageAppendSpecs } from './specs/messages-append.ts'
import { messageConcurrentSpecs } from './specs/messages-concurrent.ts'
import { messageGuardSpecs } from './specs/messages-guards.ts'
import { messagePreviewSpecs } from './specs/messages-preview.ts'
import { messageReadSpecs } from './specs/messages-read.ts'
import { peerSpecs } from './specs/peers.ts'
import { restoreCaseSpecs } from './specs/restore-cases.ts'
import { restorePolicySpecs } from './specs/restore-policy.ts'
import { sessionCreateSpecs } from './specs/sessions-create.ts'
import { sessionFamilySpecs } from './specs/sessions-family.ts'
import { sessionIdSpecs } from './specs/sessions-ids.ts'
import { sessionRemoveSpecs } from './specs/sessions-remove.ts'
import { sessionUpdateSpecs } from './specs/sessions-update.ts'
import { turnContextSpecs } from './specs/turns-context.ts'
import { turnTextSpecs } from './specs/turns-text.ts'
import { turnWindowSpecs } from './specs/turns-window.ts'
import { valueKeptSpecs } from './specs/values-kept.ts'
import { valueRejectedSpecs } from './specs/values-rejected.ts'
import { valueShapeSpecs } from './specs/values-shapes.ts'

/** A part of the contract. */
export interface SpecGroupEntry {
  readonly group: SpecGroup
  /** What the ids of its specs begin with: 'SES'. */
  readonly prefix: string
  readonly title: string
  readonly specs: readonly Spec[]
}

/** The parts of the contract in their order. */
export const specGroups: readonly SpecGroupEntry[] = [
  {
    group: 'sessions',
    prefix: 'SES',
    title: 'sessions: create, get, update, remove',
    specs: [
      ...sessionCreateSpecs,
      ...sessionIdSpecs,
      ...sessionUpdateSpecs,
      ...sessionRemoveSpecs,
      ...sessionFamilySpecs,
    ],
  },
  {
    group: 'lists',
    prefix: 'LST',
    title: 'lists: order, pages, what they show, filters',
    specs: [...listOrderSpecs, ...listPagingSpecs, ...listShownSpecs, ...listFilterSpecs],
  },
  {
    group: 'messages',
    prefix: 'MSG',
    title: 'messages: append, retries, races, read, preview',
    specs: [
      ...messageAppendSpecs,
      ...messageGuardSpecs,
      ...messageConcurrentSpecs,
      ...messageReadSpecs,
      ...messagePreviewSpecs,
    ],
  },
  {
    group: 'turns',
    prefix: 'TRN',
    title: 'turns: windows, text mode, context, restore',
    specs: [
      ...turnWindowSpecs,
      ...turnTextSpecs,
      ...turnContextSpecs,
      ...restoreCaseSpecs,
      ...restorePolicySpecs,
    ],
  },
  {
    group: 'import',
    prefix: 'IMP',
    title: 'import: what is kept, the same source again',
    specs: [...importSpecs, ...importRefusedSpecs, ...importAgainSpecs],
  },
  {
    group: 'values',
    prefix: 'VAL',
    title: 'values: what comes back, what is refused',
    specs: [...valueKeptSpecs, ...valueShapeSpecs, ...valueRejectedSpecs],
  },
  {
    group: 'errors',
    prefix: 'ERR',
    title: 'errors: codes, methods that are missing',
    specs: errorSpecs,
  },
  {
    group: 'lifecycle',
    prefix: 'LIF',
    title: 'lifecycle: close, open again, two handles',
    specs: [...lifecycleSpecs, ...peerSpecs],
  },
]

/** Every spec of the contract. */
export const storeSpecs: readonly Spec[] = specGroups.flatMap(({ specs }) => specs)
