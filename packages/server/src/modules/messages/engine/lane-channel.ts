/** Notifications that lanes have new work. */
export const laneChannel = 'carillon_lanes'
