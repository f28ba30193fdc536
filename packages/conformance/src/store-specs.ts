// The contract in one list, group by group, in the order it is reported.

import type { Spec, SpecGroup, StoreSpec } from './spec.ts'
import { changeFeedSpecs } from './specs/changes.ts'
import { changeOrderSpecs } from './specs/changes-order.ts'
import { contextCaseSpecs } from './specs/context-cases.ts'
import { compactionSpecs } from './specs/contexts-compact.ts'
import { lostSummarySpecs } from './specs/contexts-lost.ts'
import { resetContextSpecs } from './specs/contexts-reset.ts'
import { currentSpecs } from './specs/current.ts'
import { editRemoveSpecs } from './specs/edits-remove.ts'
import { editReplaceSpecs } from './specs/edits-replace.ts'
import { editUpdateSpecs } from './specs/edits-update.ts'
import { editVersionSpecs } from './specs/edits-versions.ts'
import { errorSpecs } from './specs/errors.ts'
import { argumentSpecs } from './specs/errors-arguments.ts'
import { forkSpecs } from './specs/forks.ts'
import { forkCopySpecs } from './specs/forks-copied.ts'
import { rewindSpecs } from './specs/forks-rewind.ts'
import { undeleteSpecs } from './specs/forks-undelete.ts'
import { importSpecs } from './specs/import.ts'
import { importAgainSpecs } from './specs/import-again.ts'
import { importRefusedSpecs } from './specs/import-refused.ts'
import { lifecycleSpecs } from './specs/lifecycle.ts'
import { reopenSpecs } from './specs/lifecycle-reopen.ts'
import { listFilterSpecs } from './specs/lists-filter.ts'
import { listOrderSpecs } from './specs/lists-order.ts'
import { listPagingSpecs } from './specs/lists-paging.ts'
import { listShownSpecs } from './specs/lists-shown.ts'
import { messageAppendSpecs } from './specs/messages-append.ts'
import { messageConcurrentSpecs } from './specs/messages-concurrent.ts'
import { messageGuardSpecs } from './specs/messages-guards.ts'
import { messageOperationSpecs } from './specs/messages-operations.ts'
import { messagePreviewSpecs } from './specs/messages-preview.ts'
import { messageReadSpecs } from './specs/messages-read.ts'
import { peerSpecs } from './specs/peers.ts'
import { peerRaceSpecs } from './specs/peers-races.ts'
import { restoreCaseSpecs } from './specs/restore-cases.ts'
import { restorePolicySpecs } from './specs/restore-policy.ts'
import { searchFoundSpecs } from './specs/search-found.ts'
import { searchPageSpecs } from './specs/search-pages.ts'
import { searchSessionSpecs } from './specs/search-sessions.ts'
import { sessionCreateSpecs } from './specs/sessions-create.ts'
import { sessionFamilySpecs } from './specs/sessions-family.ts'
import { sessionIdSpecs } from './specs/sessions-ids.ts'
import { sessionRemoveSpecs } from './specs/sessions-remove.ts'
import { sessionUpdateSpecs } from './specs/sessions-update.ts'
import { threadSpecs } from './specs/threads.ts'
import { threadPageSpecs } from './specs/threads-pages.ts'
import { threadSessionSpecs } from './specs/threads-sessions.ts'
import { transactionSpecs } from './specs/transactions.ts'
import { transactionOutsideSpecs } from './specs/transactions-outside.ts'
import { turnContextSpecs } from './specs/turns-context.ts'
import { turnTextSpecs } from './specs/turns-text.ts'
import { turnWindowSpecs } from './specs/turns-window.ts'
import { usageSpecs } from './specs/usage.ts'
import { valueApartSpecs } from './specs/values-apart.ts'
import { valueKeptSpecs } from './specs/values-kept.ts'
import { valueLimitSpecs } from './specs/values-limits.ts'
import { valueRejectedSpecs } from './specs/values-rejected.ts'
import { valueShapeSpecs } from './specs/values-shapes.ts'
import { isWithin, type Tier, tierOf } from './tiers.ts'

/** A part of the contract. */
export interface SpecGroupEntry {
  readonly group: SpecGroup
  /** What the ids of its specs begin with: 'SES'. */
  readonly prefix: string
  readonly title: string
  readonly specs: readonly StoreSpec[]
}

const groups: readonly (Omit<SpecGroupEntry, 'specs'> & { readonly specs: readonly Spec[] })[] = [
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
      ...messageOperationSpecs,
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
    specs: [
      ...valueKeptSpecs,
      ...valueShapeSpecs,
      ...valueRejectedSpecs,
      ...valueLimitSpecs,
      ...valueApartSpecs,
    ],
  },
  {
    group: 'forks',
    prefix: 'FRK',
    title: 'forks: copies, rewinds, back from the trash',
    specs: [...forkSpecs, ...forkCopySpecs, ...rewindSpecs, ...undeleteSpecs],
  },
  {
    group: 'edits',
    prefix: 'EDT',
    title: 'edits: update, remove, truncate, clear, replace',
    specs: [...editUpdateSpecs, ...editRemoveSpecs, ...editReplaceSpecs, ...editVersionSpecs],
  },
  {
    group: 'contexts',
    prefix: 'CTX',
    title: 'contexts: compact, reset, lost summaries',
    specs: [...contextCaseSpecs, ...compactionSpecs, ...resetContextSpecs, ...lostSummarySpecs],
  },
  {
    group: 'usage',
    prefix: 'USG',
    title: 'usage: what calls of models cost',
    specs: usageSpecs,
  },
  {
    group: 'current',
    prefix: 'CUR',
    title: 'current: the session a chat talks to',
    specs: currentSpecs,
  },
  {
    group: 'threads',
    prefix: 'THR',
    title: 'threads: groups, their sessions, the timeline',
    specs: [...threadSpecs, ...threadSessionSpecs, ...threadPageSpecs],
  },
  {
    group: 'changes',
    prefix: 'CHG',
    title: 'changes: order, removals, tokens, pages',
    specs: [...changeFeedSpecs, ...changeOrderSpecs],
  },
  {
    group: 'transactions',
    prefix: 'TXN',
    title: 'transactions: commit, rollback, savepoints, outsiders',
    specs: [...transactionSpecs, ...transactionOutsideSpecs],
  },
  {
    group: 'search',
    prefix: 'SRC',
    title: 'search: what is found, hits and their order, sessions',
    specs: [...searchFoundSpecs, ...searchPageSpecs, ...searchSessionSpecs],
  },
  {
    group: 'errors',
    prefix: 'ERR',
    title: 'errors: codes, odd arguments, methods that are missing',
    specs: [...errorSpecs, ...argumentSpecs],
  },
  {
    group: 'lifecycle',
    prefix: 'LIF',
    title: 'lifecycle: close, open again, two handles',
    specs: [...lifecycleSpecs, ...reopenSpecs, ...peerSpecs, ...peerRaceSpecs],
  },
]

/** The parts of the contract in their order. */
export const specGroups: readonly SpecGroupEntry[] = groups.map((entry) => ({
  ...entry,
  specs: entry.specs.map((spec) => ({ ...spec, tier: tierOf(spec) })),
}))

/** Every spec of the contract. */
export const storeSpecs: readonly StoreSpec[] = specGroups.flatMap(({ specs }) => specs)

/** The parts of the contract as far as they are within a tier; parts with nothing in it are left out. */
export function specGroupsWithin(tier: Tier): readonly SpecGroupEntry[] {
  return specGroups
    .map((entry) => ({ ...entry, specs: entry.specs.filter((spec) => isWithin(spec.tier, tier)) }))
    .filter(({ specs }) => specs.length > 0)
}
