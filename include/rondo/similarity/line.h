#pragma once

#include "rondo/melody/line.h"  // where Line lives; features hear the same notes as the systems
