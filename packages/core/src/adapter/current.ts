// The session a chat of a channel talks to.

import { z } from 'zod'
import { StoreError } from '../errors.ts'
import { snapshot } from '../input/check.ts'
import { channelSchema, ownerIdSchema } from '../input/schemas.ts'
import { type PreparedSession, prepareSession } from '../input/sessions.ts'
import type { Locale } from '../restore/text.ts'
import type { NewSession } from '../types/session.ts'

export interface ChatKey {
  readonly channelType: string
  readonly channelKey: string
  readonly ownerId?: string
}

export interface CurrentPlan {
  readonly channelType: string
  readonly channelKey: string
  readonly ownerId: string
  readonly idleMs: number | undefined
  /** What to create where no session serves. */
  readonly create: PreparedSession | undefined
}

const keySchema = z.strictObject({
  channelType: channelSchema,
  channelKey: channelSchema,
  ownerId: ownerIdSchema.optional(),
})

const optionsSchema = z.strictObject({
  create: z.unknown().optional(),
  idleMs: z.number().min(0).optional(),
})

/**
 * Checks a key and what to create; the new session takes the key's channel, chat and owner.
 *
 * @throws {StoreError} invalid also when `create` names another channel, chat or owner
 */
export function planCurrent(
  key: ChatKey,
  options: { readonly create?: NewSession; readonly idleMs?: number },
  locale: Locale,
): CurrentPlan {
  const { channelType, channelKey, ownerId = '' } = snapshot(keySchema, key, 'key')
  const { create, idleMs } = snapshot(optionsSchema, options, 'options')
  const wanted = { channelType, channelKey, ownerId }
  if (create === undefined) return { ...wanted, idleMs, create }
  const prepared = prepareSession(create, locale, 'options.create')
  for (const [name, value] of Object.entries(wanted)) {
    const given = create[name as keyof typeof wanted]
    if (given !== undefined && given !== value) {
      throw new StoreError('invalid', `options.create.${name}: must be the key's, "${value}"`)
    }
  }
  return { ...wanted, idleMs, create: { ...prepared, ...wanted } }
}

/** Whether a session that was found still serves, or has been silent for too long. */
export function isServing({ idleMs }: CurrentPlan, lastActiveAt: number, now: number): boolean {
  return idleMs === undefined || now - lastActiveAt < idleMs
}
