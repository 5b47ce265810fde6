/** Notified when deliveries were queued; the loops also poll. */
export const webhookChannel = 'carillon_webhooks'
