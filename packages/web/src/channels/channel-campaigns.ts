import type { EndpointName } from '@carillon/contract'
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

/** What the browser knows of campaigns on a channel. Light, so that lists can use it; the wizard loads the editor. */
export type ChannelCampaigns = {
  /** Number of its tab in addresses of the campaign list. Fixed once released; 0 and 2 are taken. */
  tab: number
  loadEditor: () => Promise<LegEditor>
  /** Templates that its tab of the list can be filtered by; absent: there is no such filter. */
  listTemplates?: (signal: AbortSignal) => Promise<readonly { value: string; label: string }[]>
  /** A message on the recipient's phone, as lists and reports show it. */
  Phone: ComponentType<SentPhoneProps>
}

/** A message that was sent, or that a campaign would send. */
export type SentMessage = {
  header: string
  accountName?: string | undefined
  category: string | null
  /** The template's text with its variables, or the text as it was sent. */
  text: { body: string; variables: readonly BodyVariable[] } | { pieces: readonly MessagePiece[] }
  /** When it arrived. */
  at?: string | null | undefined
}

export type SentPhoneProps = {
  message: SentMessage
  /** The campaign it belongs to, if the reader may see its template. */
  campaign?: CampaignDetail | undefined
  scale?: number | undefined
}

export type WizardStep = 'audience' | 'template' | 'personalise' | 'failover' | 'review'

/** The part of the wizard that belongs to a channel: one leg of a draft. */
export type LegEditor = {
  /** The values of a leg for which nothing is chosen yet. */
  emptyValues: unknown
  /** Who fills the message of a recipient: the server, which also measures it, or the browser. */
  previewedBy: 'server' | 'browser'
  /** Whether values have a maximum length. */
  limitsValues: boolean
  /** Outcomes after which the next leg can be sent, most common first; `next`: the label of its channel. */
  outcomes: (next: string) => readonly OutcomeText[]
  /** What is charged for. */
  costNote?: string
  /** Loads what the leg refers to. */
  useLeg: (input: LegInput) => Leg
}

export type OutcomeText = {
  type: FailoverCondition['type']
  label: string
  help: string
  /** In a sentence: 'not delivered'. */
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
  /** A template chosen on another screen, for a new campaign. */
  preselected: string | undefined
  /** `now` saves at once, for choices that affect the estimate. */
  onChange: (patch: LegPatch, options?: { now: boolean }) => void
}

/** The recipient on the phone; with the message if the server fills it. */
export type ShownRecipient = Recipient | RecipientPreview

export type Shown = { recipient: ShownRecipient | undefined; estimate: Estimate | undefined }

/** A line of the review. */
export type SummaryFact = { label: string; value: ReactNode; note?: ReactNode; step: WizardStep }

/** What the scrubber says of the shown recipient, and the rows it can jump to. */
export type RowFacts = {
  parts?: number | undefined
  cost?: number | null | undefined
  costlyRows?: readonly number[]
  jumps: readonly Jump[]
}

export type Check = Estimate['checks'][number]

export type CheckTools = {
  estimate: Estimate
  /** The row on the phone. */
  seq: number
  onJump: (seq: number) => void
  onStep: (step: WizardStep) => void
}

export type ValuesTools = {
  audience: Audience
  /** The variable whose row has the focus. */
  onFocus: (variable: string | undefined) => void
}

/** A leg of a draft with what it refers to, and all that the wizard shows of it. */
export type Leg = {
  /** Undefined before it is chosen and loaded. */
  template: { name: string } | undefined
  /** Values that are not set. */
  unset: number
  /** Consent that the sender has to confirm; undefined if none is needed. */
  consent: { label: string; help: string } | undefined
  /** What takes a value from the audience's columns. */
  variables: readonly FillVariable[]
  /** Columns in use, with what each fills. */
  usedColumns: ReadonlyMap<number, string>
  /** The leg's values with some sources changed. */
  withSources: (changes: readonly { index: number; source: VariableSource }[]) => unknown
  /** The leg's values, with each variable matched to the column of its name. */
  matched: (columns: readonly string[]) => unknown
  message: (recipient: ShownRecipient | undefined) => PhoneMessage
  /** What the phone outlines while a row of the values has the focus. */
  outlined: (focused: string | undefined) => Pick<PhoneScreenProps, 'focusedVariable' | 'focusedPart'>
  /** Undefined while there is nothing to step through. */
  rowFacts: (shown: Shown) => RowFacts | undefined
  /** Sender, template and values, for the review. */
  facts: (estimate: Estimate | undefined) => readonly SummaryFact[]
  templateStep: (estimate: Estimate | undefined) => ReactNode
  /** The values to set; undefined if the template has none. */
  valuesStep: (tools: ValuesTools) => ReactNode | undefined
  /** The action of a check of the review; undefined if this channel has none for it. */
  checkAction: (check: Check, tools: CheckTools) => ReactNode | undefined
  /** The specification's call that creates the campaign that begins with this leg. */
  request: (draft: CampaignDraft) => { call: EndpointName; body: object }
}
