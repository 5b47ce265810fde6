/**
 * Audiences: a file or pasted numbers read once, checked row by row, and kept as recipients that never change.
 * What is sent to them is the business of campaigns.
 */
export { findAudience, findRecipient, getAudience, type AudienceRow } from './audiences.queries.ts'
export { audienceCron, audienceJobs, checkAudience, resumeAudiences, type CheckDeps } from './check-audience.ts'
export { countriesOf, type CountryRange } from './country-blocks.ts'
export { createAudience, type AudienceDeps, type NewAudience } from './create-audience.ts'
export { audienceHandlers, presentAudience } from './handlers.ts'
export { optIn, optOut } from './replied-opt-outs.ts'
export { explainReject } from './reading/check-rows.ts'
