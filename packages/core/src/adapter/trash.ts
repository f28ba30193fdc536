// When a session went to the trash: what went together has one time, and what went apart another.

/**
 * The time a session and those that go along get.
 *
 * @param times those at which others of its family went before, alone: none of them is taken, so that `undelete` brings
 *   back only what went now
 */
export function trashTime(now: number, times: readonly (number | null)[]): number {
  const taken = new Set(times)
  let at = now
  while (taken.has(at)) at++
  return at
}
