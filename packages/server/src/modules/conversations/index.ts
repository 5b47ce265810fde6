/**
 * The inbox: conversations of people with lines, replies, and the members who answer. Messages are stored and sent by
 * `messages`; a conversation refers to them.
 */
export { agentCron, agentJobs } from './agents/agent-jobs.ts'
export { touchAgents, touchEveryMs } from './agents/availability.ts'
export { joinAsAgent } from './agents/invited-agents.ts'
export { assignAfter } from './agents/queue.ts'
export { liveAgentHandlers } from './handlers/agent-handlers.ts'
export { notifyOfMessages } from './changes/notify-of-messages.ts'
export { releaseHeld } from './changes/release-held.ts'
export { contactHandlers } from './handlers/contact-handlers.ts'
export { inboxSettingsHandlers } from './handlers/settings-handlers.ts'
export { conversationLineHandlers } from './handlers/line-handlers.ts'
export { conversationReadHandlers } from './handlers/read-handlers.ts'
export { conversationVerbHandlers } from './handlers/verb-handlers.ts'
export { openConversations } from './inbox/open-conversations.ts'
export { conversationCron, conversationJobs } from './jobs.ts'
export { sendChatMessage, type ChatFrame } from './replies/send-chat-message.ts'
export { readItems } from './thread/read-items.ts'
