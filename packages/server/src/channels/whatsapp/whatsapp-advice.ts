import type { ServerChannel } from '../channel.ts'

/** Failure classes that mean something else on WhatsApp than for SMS operators. */
export const whatsappAdvice: ServerChannel['advice'] = {
  number_unreachable: {
    title: 'Not reachable on WhatsApp',
    advice: 'The number has no WhatsApp, an old version of it, or has not accepted its terms. Send by SMS instead.',
  },
  operator_rejected: {
    title: 'WhatsApp rejected the message',
    advice: 'Look up Meta’s error code for the rule or setting.',
  },
  undelivered: {
    title: 'The message was not delivered',
    advice: 'WhatsApp could not deliver it. Send again on another day, or by SMS.',
  },
  expired: {
    title: 'Expired before delivery on WhatsApp',
    advice: 'The phone was off for too long. Send again on another day, or by SMS.',
  },
  bad_request: {
    title: 'WhatsApp could not read the message',
    advice: 'Compare the template with its values, and check whether the number is still registered.',
  },
  throughput_limited: {
    title: 'WhatsApp was too busy for too long',
    advice: 'Send again later: nothing is wrong with the number or the text.',
  },
  not_connected: {
    title: 'There was no connection to WhatsApp',
    advice: 'Check the setup steps of the WhatsApp account.',
  },
  content_blocked: {
    title: 'The text was blocked',
    advice: 'It violates WhatsApp’s rules for businesses. Change the template.',
  },
  outside_window: {
    title: 'More than 24 hours since the person’s last message',
    advice: 'Use an approved template: anything else may be sent only within 24 hours of it.',
  },
  user_marketing_cap: {
    title: 'Meta’s marketing limit reached',
    advice:
      'WhatsApp limits how much marketing a person gets from all businesses together. Try again after a day, or by SMS.',
  },
  sender_spam_limited: {
    title: 'WhatsApp limits this number because of complaints',
    advice: 'Stop marketing from it until its quality is green again, and message only people who opted in.',
  },
  pair_rate_limited: {
    title: 'Too many messages to the same person',
    advice: 'WhatsApp accepts about ten a minute from one number to one person. Spread them out.',
  },
  media_failed: {
    title: 'The image, video or document could not be used',
    advice: 'Upload it again in a supported type and size, and check whether its URL is public.',
  },
}

export const whatsappPauseTexts: ServerChannel['pauseTexts'] = {
  template_paused: 'The template is paused by WhatsApp. Sending resumes automatically',
  sender_limited: 'WhatsApp limits this number, or its quality is low: check it in WhatsApp Manager, then resume',
}
