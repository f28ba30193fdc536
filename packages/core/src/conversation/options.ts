// What `openConversation` and `finish` are given, checked before anything is done: a policy that is none must not be
// found out after the question is stored.

import { z } from 'zod'
import { StoreError } from '../errors.ts'
import { checkFor, functionSchema, loggerSchema } from '../input/arguments.ts'
import {
  channelSchema,
  newSessionSchema,
  ownerIdSchema,
  sessionIdSchema,
  usageSchema,
} from '../input/schemas.ts'
import { checkPolicy } from '../restore/conversation.ts'
import type { ConversationOptions } from './open.ts'
import { persistFields } from './persist.ts'

const conversationSchema = z
  .strictObject({
    ...persistFields,
    channelType: channelSchema.optional(),
    id: sessionIdSchema.optional(),
    current: z
      .strictObject({
        channelType: channelSchema,
        channelKey: channelSchema,
        ownerId: ownerIdSchema.optional(),
        idleMs: z.number().min(0).optional(),
      })
      .optional(),
    create: newSessionSchema.optional(),
    logger: loggerSchema.optional(),
    // Looked into as a policy.
    restore: z.unknown().optional(),
  })
  .refine(({ id, current }) => id === undefined || current === undefined, {
    message: 'takes one of id and current',
  })

// Strict: another name for a count, as providers have them, would count nothing.
const finishSchema = z.strictObject({
  usage: z
    .strictObject({
      ...usageSchema.shape,
      provider: z.string().optional(),
      model: z.string().optional(),
      messageId: z.string().optional(),
    })
    .optional(),
  complete: functionSchema.optional(),
})
const operation = 'openConversation'

/** @throws {StoreError} invalid */
export function checkConversation(options: ConversationOptions): void {
  checkFor(operation, conversationSchema, options, 'options')
  if (options.restore !== undefined) checkPolicy(options.restore, operation, 'options.restore')
  const { id, create } = options
  if (id !== undefined && create?.id !== undefined && create.id !== id)
    throw new StoreError('invalid', `options.create.id: must be "${id}", as options.id`, { operation })
}

/** @throws {StoreError} invalid */
export function checkFinish(options: object): void {
  checkFor('conversation.finish', finishSchema, options, 'options')
}
