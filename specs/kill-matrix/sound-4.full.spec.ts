import { holdSoundStyle, holdSoundVariants } from './sound.js'

holdSoundStyle(3)
holdSoundVariants(3)
