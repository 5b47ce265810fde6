/** Texts quoted from the specification. */
export const texts = {
  sessionExpired: {
    title: 'Session Expired',
    body: 'Your session has expired due to inactivity. Please log in again to continue.',
    action: 'Return to Login',
  },
  confirmLogout: {
    title: 'Confirm Logout',
    body: 'Are you sure you want to logout? You will need to login again to access your account.',
    cancel: 'Cancel',
    action: 'Logout',
  },
  notFound: {
    title: 'Oops! Page Not Found',
    body: 'We are sorry, the page you requested could not be found.',
  },
  applicationError: {
    title: 'Application Error',
    unexpected: 'An unexpected error has occurred.',
    action: 'Refresh Page',
  },
  accessRestricted: 'Access Restricted',
  noNotifications: 'No notifications yet',
  viewAll: 'View all',
  balanceLoading: 'Loading...',
  balanceFailed: 'Failed to fetch balance.',
  upgrade: 'Upgrade to Pro',
  comingSoon: 'Coming Soon',
  cannotLogout: "In this mode, you can't logout",
  exitAccount: 'Exit account',
  topUp: {
    invalid: 'Please enter a valid balance amount',
    sent: 'Balance Request Sent',
    failed: 'Failed to request balance',
  },
} as const
