import type { Graph } from './graph.ts'
import { GraphError, invalid } from './graph-error.ts'
import type { PhoneNumber, Row } from './objects.ts'
import { isRow, needText } from './reading.ts'

/** Marks a message as read; optionally shows a typing indicator for up to 25 seconds. */
export function markRead(graph: Graph, number: PhoneNumber, body: Row) {
  if (body.status !== 'read') throw invalid("status must be 'read'")
  const id = needText(body, 'message_id')
  const message = graph.messages.findInbound(id)
  if (message?.phoneNumberId !== number.id)
    throw new GraphError(100, {
      message: '(#100) Invalid parameter',
      details: `There is no message ${id} to this number`,
    })
  const typing = body.typing_indicator
  if (typing !== undefined && !(isRow(typing) && typing.type === 'text'))
    throw invalid("typing_indicator['type'] must be text")
  message.isRead = true
  if (typing !== undefined) graph.typing.show(number.id, message.waId)
  return { success: true }
}
