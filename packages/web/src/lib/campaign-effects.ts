/** Effects on campaigns when a resource they need is switched off. */

export const senderOff = {
  scheduled:
    'Scheduled campaigns do not start while it is off. They start when it is switched on again, unless they have ended by then.',
  running: 'Running campaigns stop sending and resume when it is switched on again, until they end.',
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
  scheduled: 'Scheduled campaigns still start. Discard those that should not be sent.',
  running: 'Running campaigns continue. Pause those that should stop.',
}

export const campaignsOff = {
  scheduled:
    'Scheduled campaigns still start, and nobody in the account can stop them. Discard those that should not be sent.',
  running: 'Running campaigns continue, and nobody in the account can pause them.',
}

export const accountStopped = {
  scheduled:
    'Scheduled campaigns do not start while the account is stopped. They start when it is reactivated, unless they have ended.',
  running: 'Running campaigns pause and resume when it is reactivated.',
}

export const accountsStopped = {
  scheduled:
    'Scheduled campaigns do not start while their account is stopped. They start when it is reactivated, unless they have ended.',
  running: 'Running campaigns pause and resume when their account is reactivated.',
}

export const accountClosed = {
  scheduled: 'Scheduled campaigns are discarded, and their reserved amounts return to the balance.',
  running: 'Running campaigns are cancelled. Messages already sent cannot be recalled.',
}

/** A resource needed by scheduled or running campaigns cannot be deleted. */
export const neededStill = {
  scheduled: 'Scheduled campaigns need it. Delete it after they have ended or been discarded.',
  running: 'Running campaigns need it. Delete it after they have ended or been cancelled.',
}
