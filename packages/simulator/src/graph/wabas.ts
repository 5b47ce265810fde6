import { analyticsFields } from './analytics.ts'
import { parseFields, project } from './field-list.ts'
import type { Call } from './graph.ts'
import { GraphError } from './graph-error.ts'
import { wabaHealth } from './health.ts'
import { portfolioOf } from './meta.ts'
import type { Row, Waba } from './objects.ts'

const standardFields = ['name', 'timezone_id', 'message_template_namespace', 'currency'] as const

export function readWaba(call: Call, waba: Waba): Row {
  const fields = parseFields(call.query.fields)
  const whole = presentWaba(call, waba)
  for (const field of fields ?? []) {
    const analyze = analyticsFields[field.name]
    if (analyze) whole[field.name] = analyze({ graph: call.graph, waba, filters: field.filters })
  }
  return project(whole, fields, standardFields)
}

function presentWaba({ graph, token }: Call, waba: Waba): Row {
  const owner = { name: waba.name, id: waba.businessId }
  return {
    id: waba.id,
    name: waba.name,
    currency: waba.currency,
    timezone_id: waba.timezoneId,
    message_template_namespace: waba.namespace,
    account_review_status: waba.accountReviewStatus,
    business_verification_status: waba.businessVerificationStatus,
    country: waba.country,
    ownership_type: 'CLIENT_OWNED',
    owner_business_info: owner,
    on_behalf_of_business_info: { ...owner, status: 'APPROVED', type: 'SELF' },
    primary_business_location: waba.country,
    status: waba.status,
    health_status: wabaHealth(waba, token.appId),
    is_enabled_for_insights: waba.isEnabledForInsights,
    whatsapp_business_manager_messaging_limit: portfolioOf(graph.meta, waba.id).limitTier,
  }
}

/** `POST /{waba_id}`: enables template insights; they cannot be disabled. */
export function changeWaba({ body, query }: Call, waba: Waba) {
  const wanted = body.is_enabled_for_insights ?? query.is_enabled_for_insights
  if (wanted === undefined) throw new GraphError(100, { message: '(#100) There is nothing to change' })
  if (wanted !== true && wanted !== 'true') throw new GraphError(200006)
  waba.isEnabledForInsights = true
  return { id: waba.id, success: true }
}
