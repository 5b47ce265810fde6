/** A reply that becomes known later than this is not charged: its conversations may be deleted by then. */
export const replyDays = 8
