import { holdMatrix } from './support.js'

holdMatrix(0)
