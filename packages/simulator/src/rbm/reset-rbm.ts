import { reviewTemplate } from './dotgo-templates.ts'
import { resumeReviews } from './launch.ts'
import type { Rbm } from './rbm.ts'

/** Deletes messages; agents and templates remain, and pending reviews start again. */
export function resetRbm(rbm: Rbm) {
  rbm.reset()
  resume(rbm)
}

function resume(rbm: Rbm) {
  resumeReviews(rbm)
  for (const tester of rbm.directory.testers.values()) if (tester.status === 'PENDING') tester.status = 'ACCEPTED'
  for (const template of rbm.directory.templates.values())
    if (template.status === 'pending') reviewTemplate(rbm, template)
}
