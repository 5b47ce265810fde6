/** Responses to calls that the caller may not make. */
export const refusals = {
  noToken: { status: 401, body: { success: false, message: 'No authentication token found.', code: 'no_token' } },
  unknown: { status: 401, body: { success: false, message: 'User not authenticated.', code: 'unauthenticated' } },
  wrongRole: {
    status: 403,
    body: { success: false, message: 'You are not authorized to access this resource.', code: 'forbidden' },
  },
  wrongModule: {
    status: 403,
    body: { success: false, message: 'You are not authorized to access this resource.', code: 'module_forbidden' },
  },
}
