import type { Graph } from './graph.ts'
import type { Category, QualityScore, Template, TemplateStatus } from './objects.ts'
import { sendCategory, sendComponents, sendQuality, sendStatus } from './template-webhooks.ts'

/** Starts the review, which ends after a delay. */
export function sendToReview(graph: Graph, template: Template, { isEdit }: { isEdit: boolean }) {
  setStatus(template, 'PENDING')
  const { revision } = template
  const review = () => {
    // Edited or deleted meanwhile: this review no longer applies.
    if (template.status === 'PENDING' && template.revision === revision) decide(graph, template, isEdit)
  }
  if (graph.settings.reviewMs === 0) review()
  else graph.simulation.scheduler.after(graph.settings.reviewMs, review)
}

function decide(graph: Graph, template: Template, isEdit: boolean) {
  const words = JSON.stringify(template.components)
  if (words.includes('REJECT_ME')) return reject(graph, template, 'INVALID_FORMAT')
  if (template.category === 'UTILITY' && words.includes('RECATEGORISE')) recategorize(graph, template, 'MARKETING')
  setStatus(template, 'APPROVED')
  template.rejectedReason = 'NONE'
  sendStatus(graph, template, { event: 'APPROVED' })
  if (isEdit) sendComponents(graph, template)
}

export function reject(graph: Graph, template: Template, reason: string) {
  setStatus(template, 'REJECTED')
  template.rejectedReason = reason
  sendStatus(graph, template, {
    event: 'REJECTED',
    reason,
    about: {
      rejection_info: {
        reason: 'The template was not written as the policy wants it.',
        recommendation: 'Change the template and send it again.',
      },
    },
  })
}

export function recategorize(graph: Graph, template: Template, category: Category) {
  const before = template.category
  if (before === category) return
  template.previousCategory = before
  template.correctCategory = category
  template.category = category
  template.revision += 1
  sendCategory(graph, template, before)
}

/** Pauses of three and six hours; the third time the template is disabled. */
export function pause(graph: Graph, template: Template) {
  template.timesPaused += 1
  if (template.timesPaused >= 3) return disable(graph, template)
  setStatus(template, 'PAUSED')
  const title = template.timesPaused === 1 ? 'FIRST_PAUSE' : 'SECOND_PAUSE'
  const hours = template.timesPaused === 1 ? 3 : 6
  const description = `Your template is paused for ${hours} hours because of low quality.`
  sendStatus(graph, template, { event: 'PAUSED', about: { other_info: { title, description } } })
}

export function unpause(graph: Graph, template: Template) {
  setStatus(template, 'APPROVED')
  const other_info = { title: 'UNPAUSE', description: 'Your template can be sent again.' }
  sendStatus(graph, template, { event: 'APPROVED', about: { other_info } })
}

export function disable(graph: Graph, template: Template) {
  setStatus(template, 'DISABLED')
  const disable_date = Math.floor(Date.now() / 1000)
  sendStatus(graph, template, { event: 'DISABLED', about: { disable_info: { disable_date } } })
}

export function setStatus(template: Template, status: TemplateStatus) {
  template.status = status
  template.revision += 1
}

export function setQuality(graph: Graph, template: Template, score: QualityScore) {
  const before = template.quality.score
  template.quality = { score, date: Math.floor(Date.now() / 1000) }
  sendQuality(graph, template, before)
}
