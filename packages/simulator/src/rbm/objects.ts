/** A JSON object as received. */
export type Row = Record<string, unknown>

export const agentUseCases = ['OTP', 'TRANSACTIONAL', 'PROMOTIONAL', 'MULTI_USE'] as const
export type AgentUseCase = (typeof agentUseCases)[number]

export const trafficTypes = ['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'] as const
export type TrafficType = (typeof trafficTypes)[number]

export const launchStates = ['UNSPECIFIED', 'PENDING', 'LAUNCHED', 'REJECTED', 'SUSPENDED', 'UNLAUNCHED'] as const
export type LaunchState = (typeof launchStates)[number]

export type VerificationState = 'UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'REJECTED'

export type Launch = { state: LaunchState; comment: string; updatedAtMs: number }

export type Webhook = { url: string; clientToken: string }

export type Brand = { id: string; displayName: string }

/** An agent of Google, or a bot of the Dotgo platform: both send to the same phones. */
export type Agent = {
  /** With `@rbm.goog` on Google's platform. */
  id: string
  platform: 'google' | 'dotgo'
  brandId: string
  displayName: string
  useCase: AgentUseCase
  /** `rcsBusinessMessagingAgent` as the API received it. */
  profile: Row
  verification: VerificationState
  verificationContact: Row | undefined
  questionnaire: Row | undefined
  /** By region, such as `in-vi`. */
  launches: Map<string, Launch>
  /** Precedes the webhook of the partner. */
  webhook: (Webhook & { integrationId: string }) | undefined
}

export type InviteStatus = 'PENDING' | 'ACCEPTED' | 'DECLINED'

export type Tester = { agentId: string; number: string; status: InviteStatus; invitedAtMs: number }

/** A key of the partner's service account. */
export type ServiceKey = { id: string; privateKey: string; publicKey: string }

export const templateStatuses = ['pending', 'approved', 'rejected', 'suspended'] as const
export type TemplateStatus = (typeof templateStatuses)[number]

/** A template of the Dotgo platform. */
export type DotgoTemplate = {
  botId: string
  name: string
  /** `rich_template_data` as received. */
  data: Row
  status: TemplateStatus
  reason: string
  /** Incremented with every change, so that the review of an earlier version has no effect. */
  revision: number
  /** Uploaded files by name, as ids of stored files. */
  files: Map<string, string>
}

/** An uploaded file, or a reference to one on the web. */
export type StoredFile = {
  id: string
  mimeType: string
  bytes: Buffer | undefined
  url: string | undefined
  thumbnailUrl: string | undefined
}
