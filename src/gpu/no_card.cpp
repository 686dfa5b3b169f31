// In the place of cuda_card.cu where the program is built without RONDO_CUDA.
#include "gpu/open_card.h"

namespace rondo::gpu {

Result<std::shared_ptr<Card>> open_real_card() {
  return fail("device-not-built", "this program was built without CUDA", {},
              "build it with -DRONDO_CUDA=ON, or use --device cpu");
}

}  // namespace rondo::gpu
