import { queries } from '../lib/queries.ts'
import { MustAnswerDialog } from '../ui/dialog.tsx'
import { texts } from './texts.ts'

/** In a chunk of its own, so that the login does not load dialogs. */
export function SessionExpiredDialog({ onAnswer }: { onAnswer: () => void }) {
  const { title, body, action } = texts.sessionExpired
  function answer() {
    queries.clear()
    onAnswer()
  }
  return <MustAnswerDialog open title={title} description={body} action={action} onAnswer={answer} />
}
