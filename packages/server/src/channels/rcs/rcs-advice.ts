import type { ServerChannel } from '../channel.ts'

/** Failure classes that mean something else on RCS than for SMS operators. */
export const rcsAdvice: ServerChannel['advice'] = {
  number_unreachable: {
    title: 'Not reachable by RCS',
    advice: 'The phone has no RCS, RCS is off, or the bot is not launched with its operator. Send by SMS instead.',
  },
  operator_rejected: {
    title: 'The operator rejected the message',
    advice: 'Look up the operator’s text. If the phone lacks a feature of the message, send a simpler one or an SMS.',
  },
  undelivered: {
    title: 'The message was not delivered',
    advice: 'The operator could not deliver it. Send again on another day, or by SMS.',
  },
  expired: {
    title: 'Expired before delivery by RCS',
    advice: 'The phone was offline until the message expired. Send again on another day, or by SMS.',
  },
  bad_request: {
    title: 'The operator could not read the message',
    advice: 'Compare the template with its values: a text or URL may be too long, or a file URL not public.',
  },
  sender_rejected: {
    title: 'The bot may not send to this number',
    advice: 'Until its launch a bot reaches its test devices only. Check verification and launch of the bot.',
  },
  channel_auth: {
    title: 'The operator refused the credentials',
    advice: 'Ask your administrator to check the partner’s service account, and whether the bot belongs to it.',
  },
  throughput_limited: {
    title: 'The operator was too busy for too long',
    advice: 'Lower the rate of the bot. Nothing is wrong with the number or the text.',
  },
  not_connected: {
    title: 'There was no connection to the operator',
    advice: 'Check the status of the bot.',
  },
  outside_window: {
    title: 'Outside the permitted hours',
    advice: 'Promotional RCS may arrive between 10:00 and 21:00, India time: keep the campaign’s hours within these.',
  },
  user_marketing_cap: {
    title: 'The limit of promotional messages to this person was reached',
    advice: 'Operators in India limit them per person in 28 days. Try again later, or send by SMS.',
  },
  media_failed: {
    title: 'The image or video could not be used',
    advice: 'Check whether its URL is public and its type supported.',
  },
}

export const rcsPauseTexts: ServerChannel['pauseTexts'] = {
  template_paused:
    'The operator withdrew the approval of the template. Sending resumes automatically once it is approved again',
  sender_limited: 'The bot is not launched with any operator. Sending resumes automatically once it is launched again',
}
