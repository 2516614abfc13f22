import { holdSoundStyle, holdSoundVariants } from './sound.js'

holdSoundStyle(2)
holdSoundVariants(2)
