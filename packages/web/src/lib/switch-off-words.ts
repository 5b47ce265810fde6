/** What the engine does with campaigns when what they need is switched off. */

export const senderOff = {
  scheduled:
    'Scheduled campaigns do not start while it is off. They start as soon as it is on again, unless they have ended.',
  running: 'Running campaigns stop sending. They go on when it is on again, until they end.',
}

export const connectionGone = {
  scheduled: 'Scheduled campaigns do not start until the account is connected again and its number is on.',
  running: 'Running campaigns stop sending until then, or until they end.',
}

export const templateGone = {
  scheduled: 'Scheduled campaigns start, and every message that needs the template fails.',
  running: 'Messages of running campaigns fail from then on.',
}

export const channelOff = {
  scheduled: 'Scheduled campaigns start all the same. Discard those that are not to be sent.',
  running: 'Running campaigns go on. Pause those that are to stop.',
}

export const campaignsOff = {
  scheduled:
    'Scheduled campaigns start all the same, and nobody of the account can stop them. Discard those that are not to be sent.',
  running: 'Running campaigns go on, and nobody of the account can pause them.',
}

export const accountStopped = {
  scheduled:
    'Scheduled campaigns do not start while the account is stopped. They start when it is reactivated, unless they have ended.',
  running: 'Running campaigns pause, and go on when it is reactivated.',
}

export const accountClosed = {
  scheduled: 'Scheduled campaigns are discarded, and what is reserved for them returns to the balance.',
  running: 'Running campaigns are cancelled. Messages already handed over cannot be called back.',
}

/** Refuses to delete what a scheduled or running campaign needs. */
export const neededStill = {
  scheduled: 'Scheduled campaigns need it: it can be deleted when they have ended or are discarded.',
  running: 'Campaigns under way need it: it can be deleted when they have ended or are cancelled.',
}
