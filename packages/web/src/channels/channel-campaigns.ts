import type { ApiCall } from '@carillon/contract'
import type { Audience, Recipient } from '@carillon/contract/audience'
import type { Estimate, RecipientPreview } from '@carillon/contract/campaign-drafts'
import type { BodyVariable, MessagePiece, VariableSource } from '@carillon/contract/campaign-records'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { CampaignDraft, DraftLeg, FailoverCondition } from '@carillon/contract/draft-legs'
import type { ComponentType, ReactNode } from 'react'
import type { Jump } from '../ui/recipient-scrubber.tsx'
import type { FillVariable } from './parts/audience-fill.ts'
import type { PhoneScreenProps } from './channel-phone.ts'
import type { PhoneMessage } from './phone/phone-message.ts'

/** What lists know about campaigns on a channel; the wizard loads the editor separately. */
export type ChannelCampaigns = {
  /** The number of its tab in URLs of the campaign list. Fixed once released; 0 and 2 are taken. */
  tab: number
  loadEditor: () => Promise<LegEditor>
  /** Templates by which its tab of the list can be filtered; absent if there is no such filter. */
  listTemplates?: (signal: AbortSignal) => Promise<readonly { value: string; label: string }[]>
  /** A message on a phone, in lists and reports. */
  Phone: ComponentType<SentPhoneProps>
}

/** A message that was sent, or that a campaign would send. */
export type SentMessage = {
  header: string
  accountName?: string | undefined
  category: string | null
  /** The template's text with its variables, or the text as sent. */
  text: { body: string; variables: readonly BodyVariable[] } | { pieces: readonly MessagePiece[] }
  /** Time of arrival. */
  at?: string | null | undefined
}

export type SentPhoneProps = {
  message: SentMessage
  /** The message's campaign, if the reader may see its template. */
  campaign?: CampaignDetail | undefined
  scale?: number | undefined
}

/** `channels` and `conditions`: only campaigns whose channels have an order of their own. */
export type WizardStep = 'audience' | 'channels' | 'template' | 'personalise' | 'failover' | 'conditions' | 'review'

/** What the template step shows: sender and templates, or one of them. */
export type TemplateStepPart = 'all' | 'sender' | 'templates'

/** The wizard's part for a channel: one leg of a draft. */
export type LegEditor = {
  /** The values of a new leg. */
  emptyValues: unknown
  /** Who renders and measures a recipient's message: the server or the browser. */
  previewedBy: 'server' | 'browser'
  /** Whether values have a maximum length. */
  limitsValues: boolean
  /** Outcomes after which the next leg can be sent, most common first; `next`: the label of its channel. */
  outcomes: (next: string) => readonly OutcomeText[]
  /** Whether a leg can limit how long its provider tries to deliver. */
  acceptsTtl: boolean
  /** The billed unit. */
  costNote?: string
  /** Loads the objects that the leg refers to. */
  useLeg: (input: LegInput) => Leg
}

export type OutcomeText = {
  type: FailoverCondition['type']
  label: string
  help: string
  /** As part of a sentence: 'not delivered'. */
  short: string
  /** Suggested waiting time. */
  minutes?: number
}

export type LegPatch = Partial<Pick<DraftLeg, 'senderId' | 'templateId' | 'values'>>

export type LegInput = {
  /** A leg that is disabled loads nothing. */
  leg: DraftLeg
  isFirst: boolean
  /** Columns of the audience's file. */
  columns: readonly string[]
  /** A template chosen elsewhere, which is not in the leg yet. */
  preselected: string | undefined
  /** `now` saves at once, for choices that affect the estimate. */
  onChange: (patch: LegPatch, options?: { now: boolean }) => void
}

/** The recipient shown on the phone; includes the message if the server renders it. */
export type ShownRecipient = Recipient | RecipientPreview

export type Shown = { recipient: ShownRecipient | undefined; estimate: Estimate | undefined }

/** A line of the review. */
export type SummaryFact = {
  label: string
  /** Where several have the same label. */
  id?: string
  /** Wraps instead of being cut off. */
  isLong?: boolean
  value: ReactNode
  note?: ReactNode
  step: WizardStep
}

/** The scrubber's label for the shown recipient, and the rows it can jump to. */
export type RowFacts = {
  parts?: number | undefined
  cost?: number | null | undefined
  costlyRows?: readonly number[]
  jumps: readonly Jump[]
}

export type Check = Estimate['checks'][number]

export type CheckTools = {
  estimate: Estimate
  /** The row shown on the phone. */
  seq: number
  onJump: (seq: number) => void
  onStep: (step: WizardStep) => void
}

export type ValuesTools = {
  audience: Audience
  /** The variable whose row has the focus. */
  onFocus: (variable: string | undefined) => void
}

/** A leg of a draft with the objects it refers to, and everything the wizard shows of it. */
export type Leg = {
  /** Undefined before it is chosen and loaded. */
  template: { name: string } | undefined
  /** Number of values that are not set. */
  unset: number
  /** The consent that the sender has to confirm; undefined if none is needed. */
  consent: { label: string; help: string } | undefined
  /** Variables that take a value from the audience's columns. */
  variables: readonly FillVariable[]
  /** Used columns, each with what it fills. */
  usedColumns: ReadonlyMap<number, string>
  /** The leg's values with some sources changed. */
  withSources: (changes: readonly { index: number; source: VariableSource }[]) => unknown
  /** The leg's values, with each variable matched to the column of its name. */
  matched: (columns: readonly string[]) => unknown
  message: (recipient: ShownRecipient | undefined) => PhoneMessage
  /** The part to outline on the phone while a row of the values has the focus. */
  outlined: (focused: string | undefined) => Pick<PhoneScreenProps, 'focusedVariable' | 'focusedPart'>
  /** Undefined while there are no recipients to step through. */
  rowFacts: (shown: Shown) => RowFacts | undefined
  /** Sender, template and values, for the review. */
  facts: (estimate: Estimate | undefined) => readonly SummaryFact[]
  templateStep: (estimate: Estimate | undefined, part?: TemplateStepPart) => ReactNode
  /** The values to set; undefined if the template has none. */
  valuesStep: (tools: ValuesTools) => ReactNode | undefined
  /** The action of a check in the review; undefined if this channel has none for it. */
  checkAction: (check: Check, tools: CheckTools) => ReactNode | undefined
  /** The specification's call that creates a campaign beginning with this leg. */
  request: (draft: CampaignDraft) => { call: ApiCall; body: object }
}
