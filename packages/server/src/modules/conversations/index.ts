/**
 * The inbox: conversations of people with lines, replies, and the members who answer. Messages are stored and sent by
 * `messages`; a conversation refers to them.
 */
export { agentCron, agentJobs } from './agents/agent-jobs.ts'
export { createPresence } from './agents/availability.ts'
export { factColumns } from './agents/metrics.ts'
export { joinAsAgent } from './agents/invited-agents.ts'
export { assignAfter } from './agents/queue.ts'
export { liveAgentHandlers } from './handlers/agent-handlers.ts'
export { notifyOfMessages } from './changes/notify-of-messages.ts'
export {
  readPublished,
  readPublishedMessages,
  readRoomsOfMembers,
  type PublishedConversation,
  type PublishedMessage,
} from './changes/published-conversations.ts'
export { followMoved } from './changes/follow-moved.ts'
export { releaseHeld } from './changes/release-held.ts'
export { contactHandlers } from './handlers/contact-handlers.ts'
export { inboxSettingsHandlers } from './handlers/settings-handlers.ts'
export { conversationLineHandlers } from './handlers/line-handlers.ts'
export { conversationReadHandlers } from './handlers/read-handlers.ts'
export { loadReach, placesOf, reachFrom, sees, type Places } from './access/sees.ts'
export { valuesOf } from './lines/line-templates.ts'
export { composeTemplate, type MessageContent } from './replies/compose-template.ts'
export { openConversations } from './inbox/open-conversations.ts'
export { createChatEvents } from './realtime/chat-events.ts'
export { createMemberRooms } from './realtime/member-rooms.ts'
export { createConversationPushes, readConversationRooms } from './realtime/pushed-conversations.ts'
export { pushItems, pushMessages } from './realtime/pushed-items.ts'
export { createViewerPushes, viewerSweepMs } from './realtime/viewers.ts'
export { conversationVerbHandlers } from './handlers/verb-handlers.ts'
export { conversationCron, conversationJobs } from './jobs.ts'
export { sendChatMessage } from './replies/send-chat-message.ts'
export { readItems } from './thread/read-items.ts'
