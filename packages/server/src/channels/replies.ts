import { megabyte } from '@carillon/contract/sizes'
import type { MediaRules } from './media-rules.ts'

/** A reply of a member, other than a template. */
export type FreeReply =
  | { type: 'text'; text: string }
  | { type: 'media'; file: ReplyFile; caption: string }
  | { type: 'reaction'; /** The provider's id of the message. */ messageId: string; emoji: string }

/** One of our files. */
export type ReplyFile = {
  id: string
  name: string
  mimeType: string
  sizeBytes: number
}

/** A reply as input of a single send. */
export type WrittenReply = {
  text: string
  content?: { type: string; [field: string]: unknown }
  /** In rate cards. */
  category: string
}

/** Why a channel cannot send a reply, and the part of it that is wrong. */
export type ReplyProblem = { problem: string; field: 'type' | 'text' | 'fileId' | 'caption' | 'emoji' }

/** The values of a template's leg, or the name of the first one that is missing. */
export type ReplyValues = { values: unknown } | { missing: string }

/** Why a channel does not accept a file; undefined if it does. */
export function findFileProblem(file: ReplyFile, { accepts, refusal }: MediaRules): ReplyProblem | undefined {
  const rule = accepts[file.mimeType]
  if (!rule) return { problem: refusal, field: 'fileId' }
  if (file.sizeBytes <= rule.maximumBytes) return undefined
  return { problem: `${rule.what} may have ${formatLimit(rule.maximumBytes)} at most`, field: 'fileId' }
}

export function formatLimit(bytes: number): string {
  return bytes >= megabyte ? `${bytes / megabyte} MB` : `${bytes / 1024} KB`
}

/** Constant values of variables by name, in the order of the names. */
export function sourcesOf(names: readonly string[], values: Readonly<Record<string, string>>): { fallback: string }[] {
  return names.map((name) => ({ fallback: values[name] ?? '' }))
}

/** The first of these names without a value. */
export function findMissing(names: readonly string[], values: Readonly<Record<string, string>>): string | undefined {
  return names.find((name) => (values[name] ?? '').trim() === '')
}
