/**
 * The inbox: conversations of people with lines, replies, and the members who answer. Messages are stored and sent by
 * `messages`; a conversation refers to them.
 */
export { conversationReadHandlers } from './handlers/read-handlers.ts'
export { openConversations } from './inbox/open-conversations.ts'
export { readItems } from './thread/read-items.ts'
