/** Default countries for numbers without a country code; whether a country can be reached depends on the operator. */
export const countries = [
  { value: 'IN', label: 'India, +91' },
  { value: 'AE', label: 'United Arab Emirates, +971' },
  { value: 'AU', label: 'Australia, +61' },
  { value: 'BD', label: 'Bangladesh, +880' },
  { value: 'GB', label: 'United Kingdom, +44' },
  { value: 'LK', label: 'Sri Lanka, +94' },
  { value: 'NP', label: 'Nepal, +977' },
  { value: 'SG', label: 'Singapore, +65' },
  { value: 'US', label: 'United States, +1' },
] as const
