"""`prefetch(array, index)`: ask for the cache line of an element that will be needed soon, inside a compiled kernel.

A search knows which pages it will read long before it reads them; the processor, which sees only the next few
instructions, waits for each in turn. Asked for sixteen pages ahead, they arrive side by side. The element is not read
and nothing else changes, so a wrong guess costs a line of the cache and no more, wherever it points to.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.extending import intrinsic

_FOR_READING, _KEEP_NEAR, _DATA = 0, 3, 1


def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """The instruction `llvm.prefetch` for `array[index]`, as numba builds it into a kernel."""
    del typing_context

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        held = context.make_array(signature.args[0])(context, builder, arguments[0])
        number, address = ir.IntType(32), ir.IntType(8).as_pointer()
        at = builder.bitcast(builder.gep(held.data, [arguments[1]]), address)
        kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
        instruction = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")  # type: ignore[no-untyped-call]
        builder.call(instruction, [at, number(_FOR_READING), number(_KEEP_NEAR), number(_DATA)])
        return context.get_dummy_value()

    return types.void(array, index), generate


prefetch: Any = intrinsic(_prefetch)  # kernels call it with two arguments; the context is numba's
