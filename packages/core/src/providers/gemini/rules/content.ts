// Turns and parts of generateContent.

import { isObject } from '../../json.ts'
import { illFormed, type Rule, textOf } from '../../rule.ts'
import { type GeminiView, type PlacedPart, placeContent } from './view.ts'

const present: Rule<GeminiView> = {
  rule: 'contents-present',
  source: 'ikechan8370/chatgpt-plugin#733',
  *check({ contents }) {
    if (contents.length === 0) yield { path: 'contents', message: 'must hold a content' }
  },
}

const knownRole: Rule<GeminiView> = {
  rule: 'role-known',
  source: 'ai.google.dev/api/caching#Content',
  *check({ contents }) {
    for (const { role, path } of contents) {
      if (role !== 'user' && role !== 'model')
        yield { path: `${path}.role`, message: `must be user or model, not ${String(role)}` }
    }
  },
}

const firstUser: Rule<GeminiView> = {
  rule: 'first-is-user',
  source: 'google-gemini/gemini-cli#11814',
  *check({ contents: [first] }) {
    if (first?.role === 'model')
      yield { path: `${first.path}.role`, message: 'must be user: it is the first' }
  },
}

const lastUser: Rule<GeminiView> = {
  rule: 'last-is-user',
  source: 'crewAIInc/crewAI#6973',
  *check({ contents, isHistory }) {
    const last = contents.at(-1)
    if (!isHistory && last?.role === 'model')
      yield { path: `${last.path}.role`, message: 'must be user: it is the last' }
  },
}

const partsPresent: Rule<GeminiView> = {
  rule: 'parts-present',
  source: 'egoist/chatwise-releases#250',
  *check(view) {
    for (const { parts, path } of [...system(view), ...view.contents]) {
      if (parts.length === 0) yield { path: `${path}.parts`, message: 'must not be empty' }
    }
  },
}

const oneDatum: Rule<GeminiView> = {
  rule: 'part-has-one-datum',
  source: 'router-for-me/CLIProxyAPI#1293',
  *check(view) {
    for (const { part, data, path } of allParts(view)) {
      const isOther = Object.keys(part).length > 0 && !('thought' in part) && !('thoughtSignature' in part)
      if (data.length > 1) yield { path, message: `must have one of ${data.join(', ')}` }
      else if (data.length === 0 && !isOther) yield { path, message: 'must hold something' }
    }
  },
}

/** Gemini 3 gives signatures in parts without text, and takes them back. */
const textPresent: Rule<GeminiView> = {
  rule: 'text-present',
  source: 'glowingjade/obsidian-smart-composer#218',
  *check(view) {
    for (const { part, path } of allParts(view)) {
      if (textOf(part, 'text') === '' && part.thoughtSignature === undefined)
        yield { path: `${path}.text`, message: 'must not be empty' }
    }
  },
}

const partSide: Rule<GeminiView> = {
  rule: 'part-on-its-side',
  source: 'ai.google.dev/gemini-api/docs/function-calling',
  *check({ contents }) {
    for (const { role, calls, responses } of contents) {
      for (const { path } of role === 'user' ? calls : [])
        yield { path: `${path}.functionCall`, message: 'cannot stand in a turn of the user' }
      for (const { path } of role === 'model' ? responses : [])
        yield { path: `${path}.functionResponse`, message: 'cannot stand in a turn of the model' }
    }
  },
}

const signatureShape: Rule<GeminiView> = {
  rule: 'signature-is-base64',
  source: 'earendil-works/pi#654',
  *check({ contents }) {
    for (const { part, path } of contents.flatMap(({ parts }) => parts)) {
      const signature = part.thoughtSignature
      if (signature !== undefined && !(typeof signature === 'string' && /^[\w+/-]+={0,2}$/.test(signature)))
        yield { path: `${path}.thoughtSignature`, message: 'must be base64' }
    }
  },
}

const unicode: Rule<GeminiView> = {
  rule: 'text-well-formed',
  source: 'earendil-works/pi',
  *check({ systemInstruction, contents }) {
    yield* illFormed(systemInstruction, 'systemInstruction')
    for (const { content, path } of contents) yield* illFormed(content, path)
  },
}

function system({ systemInstruction }: GeminiView) {
  return isObject(systemInstruction) ? [placeContent(systemInstruction, 'systemInstruction')] : []
}

function allParts(view: GeminiView): PlacedPart[] {
  return [...system(view), ...view.contents].flatMap(({ parts }) => [...parts])
}

export const contentRules: readonly Rule<GeminiView>[] = [
  present,
  knownRole,
  firstUser,
  lastUser,
  partsPresent,
  oneDatum,
  textPresent,
  partSide,
  signatureShape,
  unicode,
]
