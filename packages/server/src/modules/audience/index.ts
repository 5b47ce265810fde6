/** Audiences: files or pasted numbers, validated row by row and stored as immutable recipients. Sending belongs to campaigns. */
export { findAudience, findRecipient, getAudience, type AudienceRow } from './audiences.queries.ts'
export { audienceCron, audienceJobs, checkAudience, resumeAudiences, type CheckDeps } from './check-audience.ts'
export { countriesOf, type CountryRange } from './country-blocks.ts'
export { createAudience, type AudienceDeps, type NewAudience } from './create-audience.ts'
export { audienceHandlers, presentAudience } from './handlers.ts'
export { optIn, optOut } from './replied-opt-outs.ts'
export { explainReject } from './reading/check-rows.ts'
