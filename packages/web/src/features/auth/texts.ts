export const texts = {
  title: 'Log in',
  identity: 'Email or username',
  password: 'Password',
  action: 'Log in',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  capsLock: 'Caps Lock is on',
  enterIdentity: 'Enter your email or username',
  enterPassword: 'Enter your password',
} as const
