"""The stack machine's instructions: an operation code and the index of what it uses."""

# Push a literal, a variable, a nonlinear constant.
NUMBER, VARIABLE, CONSTANT = 0, 1, 2
# Take two operands.
ADD, MULTIPLY, POWER = 3, 4, 5
# Take one operand and a literal, or one operand and a nonlinear constant.
SHIFT, SCALE = 6, 7
SHIFT_FREE, SCALE_FREE, POWER_FREE = 8, 9, 10
WHOLE_POWER, REAL_POWER = 11, 12
# Take one operand.
SQRT, SIN, COS, TAN, COT, SINH, COSH, TANH = 13, 14, 15, 16, 17, 18, 19, 20
ASIN, ACOS, ATAN, EXP, LOG, ABS = 21, 22, 23, 24, 25, 26
# Pop the result into a column with a linear constant, or add it to the part without one.
COLUMN, OFFSET = 27, 28
