// What the tests in the browser need of the page's modules, and the voice that sings to them.

export { PitchTracker } from "../../app/hear/frames";
export { inComfortableOctave, segment } from "../../app/hear/segment";
export { writeTake } from "../../app/hear/take";
export { notesRight } from "./compare";
export { kTunes, tune } from "./melodies";
export { kManners, timed, voice } from "./voice";
