import type { ServerChannel } from '../channel.ts'

/** Failures that SMS operators explain differently. */
export const smsAdvice: ServerChannel['advice'] = {
  outside_window: {
    title: 'Outside the permitted hours',
    advice: 'Promotional SMS may arrive between 10:00 and 21:00, India time: keep the campaign’s hours within these.',
  },
  content_blocked: {
    title: 'The text was blocked',
    advice: 'A link or a word in it is not permitted. Have links allowlisted on the DLT portal.',
  },
  bad_request: {
    title: 'The provider could not read the message',
    advice: 'Check the settings of the SMS account, or ask your provider.',
  },
  throughput_limited: {
    title: 'The provider was too busy for too long',
    advice: 'Lower the rate of the SMS account to what was agreed.',
  },
  not_connected: { title: 'There was no connection to the provider', advice: 'Check the status of the SMS account.' },
}
