import { StoreError } from '@sess/core'
import { describe, expect, it } from 'vitest'
import { readBlock } from './content.ts'

const read = (item: unknown) => readBlock(item, 'c[0]')

describe('readBlock', () => {
  it.each([
    ['text', { type: 'text', text: 'run the tests' }, { type: 'text', text: 'run the tests' }],
    [
      'text with annotations',
      { type: 'text', text: 'a', annotations: { audience: ['user'], priority: 0.5 }, _meta: null },
      { type: 'text', text: 'a', native: { annotations: { audience: ['user'], priority: 0.5 } } },
    ],
    [
      'an image',
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
    ],
    [
      'a tool request',
      {
        type: 'toolRequest',
        id: 'call_7',
        toolCall: {
          status: 'success',
          value: { name: 'developer__shell', arguments: { command: 'npm test' } },
        },
      },
      { type: 'tool_use', id: 'call_7', name: 'developer__shell', input: { command: 'npm test' } },
    ],
    [
      'a tool request with metadata of its own and of its call',
      {
        type: 'toolRequest',
        id: 'call_7',
        toolCall: { status: 'success', value: { name: 'sh', arguments: {}, task: 't' } },
        metadata: { thoughtSignature: 'c2ln' },
        _meta: { 'goose.toolSummary.title': 'Run tests' },
      },
      {
        type: 'tool_use',
        id: 'call_7',
        name: 'sh',
        input: {},
        native: {
          metadata: { thoughtSignature: 'c2ln' },
          _meta: { 'goose.toolSummary.title': 'Run tests' },
          toolCall: { value: { task: 't' } },
        },
      },
    ],
    [
      'a tool request without arguments',
      { type: 'toolRequest', id: 'c', toolCall: { status: 'success', value: { name: 'sh' } } },
      { type: 'tool_use', id: 'c', name: 'sh', input: {} },
    ],
    [
      'a tool request whose arguments are null',
      {
        type: 'toolRequest',
        id: 'c',
        toolCall: { status: 'success', value: { name: 'sh', arguments: null } },
      },
      { type: 'tool_use', id: 'c', name: 'sh', input: {} },
    ],
    [
      'a tool request whose arguments are no object',
      {
        type: 'toolRequest',
        id: 'c',
        toolCall: { status: 'success', value: { name: 'sh', arguments: ['ls'] } },
      },
      { type: 'tool_use', id: 'c', name: 'sh', input: { value: ['ls'] } },
    ],
    [
      'a tool request that failed',
      { type: 'toolRequest', id: 'call_8', toolCall: { status: 'error', error: '-32602: bad arguments' } },
      {
        type: 'tool_use',
        id: 'call_8',
        name: 'unknown',
        input: {},
        native: { toolCall: { status: 'error', error: '-32602: bad arguments' } },
      },
    ],
    [
      'a tool response',
      {
        type: 'toolResponse',
        id: 'call_7',
        toolResult: {
          status: 'success',
          value: {
            content: [{ type: 'text', text: '12 passed' }],
            isError: false,
            structuredContent: { passed: 12 },
          },
        },
      },
      {
        type: 'tool_result',
        tool_use_id: 'call_7',
        content: [{ type: 'text', text: '12 passed' }],
        native: { toolResult: { value: { structuredContent: { passed: 12 } } } },
      },
    ],
    [
      'a tool response that says that it is an error',
      {
        type: 'toolResponse',
        id: 'c',
        toolResult: { status: 'success', value: { content: [], isError: true } },
      },
      { type: 'tool_result', tool_use_id: 'c', content: [], is_error: true },
    ],
    [
      'a bare array of a tool response',
      {
        type: 'toolResponse',
        id: 'call_6',
        toolResult: {
          status: 'success',
          value: [
            { type: 'text', text: 'legacy', annotations: { priority: 0 } },
            { type: 'image', data: 'AA==', mimeType: 'image/png' },
            { type: 'resource', resource: { uri: 'file:///a', text: 'b' } },
          ],
        },
        metadata: { a: 1 },
      },
      {
        type: 'tool_result',
        tool_use_id: 'call_6',
        content: [
          { type: 'text', text: 'legacy', native: { annotations: { priority: 0 } } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
          { type: 'resource', resource: { uri: 'file:///a', text: 'b' } },
        ],
        native: { metadata: { a: 1 } },
      },
    ],
    [
      'a tool response that failed',
      { type: 'toolResponse', id: 'call_8', toolResult: { status: 'error', error: '-32603: spawn failed' } },
      {
        type: 'tool_result',
        tool_use_id: 'call_8',
        content: [{ type: 'text', text: '-32603: spawn failed' }],
        is_error: true,
      },
    ],
    [
      'a tool response that failed with an object',
      { type: 'toolResponse', id: 'c', toolResult: { status: 'error', error: { code: -1 } } },
      {
        type: 'tool_result',
        tool_use_id: 'c',
        content: [{ type: 'text', text: '{"code":-1}' }],
        is_error: true,
      },
    ],
    [
      'thinking',
      { type: 'thinking', thinking: 'The clock is off.', signature: 'c2ln' },
      { type: 'thinking', thinking: 'The clock is off.', signature: 'c2ln' },
    ],
    [
      'thinking without a signature',
      { type: 'thinking', thinking: 'a', signature: '' },
      { type: 'thinking', thinking: 'a' },
    ],
    [
      'redacted thinking',
      { type: 'redactedThinking', data: 'ZW5j' },
      { type: 'redacted_thinking', data: 'ZW5j' },
    ],
    ['old reasoning', { type: 'reasoning', text: 'because' }, { type: 'thinking', thinking: 'because' }],
    ['the mark of an old compaction', { type: 'conversationCompacted', msg: 'x' }, undefined],
  ])('reads %s', (_, item, block) => {
    expect(read(item)).toStrictEqual(block)
  })

  it.each([
    { type: 'toolConfirmationRequest', id: 'c', toolName: 'sh', arguments: {}, prompt: 'Allow?' },
    {
      type: 'actionRequired',
      data: { actionType: 'elicitation', id: 'e', message: 'Which?', requested_schema: {} },
    },
    {
      type: 'frontendToolRequest',
      id: 'f',
      toolCall: { status: 'success', value: { name: 'open', arguments: {} } },
    },
    { type: 'systemNotification', notificationType: 'inlineMessage', msg: 'Compacted', data: { before: 40 } },
    { type: 'error', message: 'rate limited' },
    { type: 'futureKind', nested: [null] },
    { type: 'reasoning', summary: [] },
    { type: 'redactedThinking' },
    { type: 'image', url: 'https://example.com/a.png' },
    { type: 'toolRequest', toolCall: { id: 'x', name: 'sh', arguments: {} } },
    { type: 'toolRequest', id: 'x', toolCall: { status: 'pending' } },
    { type: 'toolRequest', id: 'x', toolCall: { status: 'success', value: 'sh' } },
    { type: 'toolResponse', toolCallId: 'x', toolResult: { content: [] } },
    { type: 'toolResponse', id: 'x', toolResult: { status: 'success', value: 'done' } },
    { type: 'toolResponse', id: 'x', toolResult: { status: 'pending', value: [] } },
  ])('keeps $type as it came when sess has nothing like it', (item) => {
    expect(read(item)).toBe(item)
  })

  it('keeps own keys named __proto__', () => {
    const item = JSON.parse('{"type":"text","text":"a","__proto__":{"b":1}}')
    expect(JSON.stringify(read(item))).toBe('{"type":"text","text":"a","native":{"__proto__":{"b":1}}}')
    const call = JSON.parse(
      '{"type":"toolRequest","id":"c","toolCall":{"status":"success","value":{"name":"n","arguments":{"__proto__":1}}}}',
    )
    expect(JSON.stringify(read(call))).toBe('{"type":"tool_use","id":"c","name":"n","input":{"__proto__":1}}')
  })

  it.each([
    ['no object', 'hello', 'c[0].type: must be a string'],
    ['no type', { text: 'a' }, 'c[0].type: must be a string'],
    ['text without text', { type: 'text' }, 'c[0].text: must be a string'],
    ['thinking without text', { type: 'thinking', thinking: 1 }, 'c[0].thinking: must be a string'],
    [
      'an untyped part of a response',
      {
        type: 'toolResponse',
        id: 'x',
        toolResult: { status: 'success', value: { content: [{ type: 'text', text: '' }, {}] } },
      },
      'c[0].toolResult.value.content[1].type: must be a string',
    ],
    [
      'an untyped part of a bare response',
      { type: 'toolResponse', id: 'x', toolResult: { status: 'success', value: ['done'] } },
      'c[0].toolResult.value[0].type: must be a string',
    ],
  ])('refuses %s', (_, item, message) => {
    expect(() => read(item)).toThrow(new StoreError('invalid', message))
  })
})
