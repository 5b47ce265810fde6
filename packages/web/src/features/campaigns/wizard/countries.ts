/** Where a number without a country code is from; the operator decides whether it can be reached. */
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
