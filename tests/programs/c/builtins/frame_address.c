// Addresses of frames and of the return.
#include "../check.h"

int deeper(char *outer) { return (char *)__builtin_frame_address(0) != outer; }

int main(void) {
  INPUT(x, 0, 3)
  void *frame = __builtin_frame_address(0);
  void *back = __builtin_return_address(0);
  CHECK(frame != 0);
  TWIN(deeper(frame) + x <= 4, deeper(frame) + x != 3);
  return 0;
}
