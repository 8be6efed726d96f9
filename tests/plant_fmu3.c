/* The model of plant_fmu.c as FMI 3.0 has it. */
#include <stdbool.h>
#include "plant_fmu.c"

void *fmi3InstantiateModelExchange(const char *n, const char *token, const char *r, bool v, bool l,
                                   void *e, void *f) {
    return fmi2Instantiate(n, 0, token, r, f, v, l);
}
void *fmi3InstantiateCoSimulation(const char *n, const char *token, const char *r, bool v, bool l,
                                  bool events, bool early, const Ref *wanted, size_t count, void *e,
                                  void *f, void *u) {
    return fmi2Instantiate(n, 1, token, r, f, v, l);
}
int fmi3DoStep(void *c, double now, double step, bool cannot_return, bool *event, bool *end,
               bool *early, double *last) {
    *event = *end = *early = false;
    *last = now + step;
    return fmi2DoStep(c, now, step, cannot_return);
}
int fmi3GetFMUState(void *c, void **kept) { return fmi2GetFMUstate(c, kept); }
int fmi3SetFMUState(void *c, void *kept) { return fmi2SetFMUstate(c, kept); }
int fmi3GetFloat64(void *c, const Ref *ref, size_t n, double *value, size_t values) {
    return fmi2GetReal(c, ref, n, value);
}
void fmi3FreeInstance(void *c) { fmi2FreeInstance(c); }
int fmi3Reset(void *c) { return fmi2Reset(c); }
int fmi3EnterInitializationMode(void *c, bool t, double tol, double start, bool s, double stop) {
    return OK;
}
int fmi3ExitInitializationMode(void *c) { return fmi2ExitInitializationMode(c); }
int fmi3SetTime(void *c, double time) { return fmi2SetTime(c, time); }
int fmi3SetContinuousStates(void *c, const double *x, size_t n) {
    return fmi2SetContinuousStates(c, x, n);
}
int fmi3GetContinuousStates(void *c, double *x, size_t n) { return fmi2GetContinuousStates(c, x, n); }
int fmi3GetContinuousStateDerivatives(void *c, double *d, size_t n) {
    return fmi2GetDerivatives(c, d, n);
}
int fmi3SetFloat64(void *c, const Ref *ref, size_t n, const double *value, size_t values) {
    return fmi2SetReal(c, ref, n, value);
}
int fmi3UpdateDiscreteStates(void *c, bool *more, bool *end, bool *nominals, bool *values, bool *timed,
                             double *next) {
    *more = *end = *nominals = *values = *timed = false;
    return OK;
}
const char *fmi3GetVersion(void) { return "3.0"; }
#define DOES_NOTHING3(name) int fmi3##name(void *c) { return OK; }
DOES_NOTHING3(EnterEventMode) DOES_NOTHING3(EnterContinuousTimeMode) DOES_NOTHING3(Terminate)
#define IS_MISSING3(name) int fmi3##name(void *c) { return ERROR; }
IS_MISSING3(SetDebugLogging) 
IS_MISSING3(InstantiateScheduledExecution) IS_MISSING3(GetFloat32) 
IS_MISSING3(GetInt8) IS_MISSING3(GetUInt8) IS_MISSING3(GetInt16) IS_MISSING3(GetUInt16)
IS_MISSING3(GetInt32) IS_MISSING3(GetUInt32) IS_MISSING3(GetInt64) IS_MISSING3(GetUInt64)
IS_MISSING3(GetBoolean) IS_MISSING3(GetString) IS_MISSING3(GetBinary) IS_MISSING3(GetClock)
IS_MISSING3(SetFloat32) IS_MISSING3(SetInt8) IS_MISSING3(SetUInt8) IS_MISSING3(SetInt16)
IS_MISSING3(SetUInt16) IS_MISSING3(SetInt32) IS_MISSING3(SetUInt32) IS_MISSING3(SetInt64)
IS_MISSING3(SetUInt64) IS_MISSING3(SetBoolean) IS_MISSING3(SetString) IS_MISSING3(SetBinary)
IS_MISSING3(SetClock) IS_MISSING3(GetNumberOfVariableDependencies)
IS_MISSING3(GetVariableDependencies)
IS_MISSING3(FreeFMUState) IS_MISSING3(SerializedFMUStateSize) IS_MISSING3(SerializeFMUState)
IS_MISSING3(DeserializeFMUState) IS_MISSING3(GetDirectionalDerivative)
IS_MISSING3(GetAdjointDerivative) IS_MISSING3(EnterConfigurationMode)
IS_MISSING3(ExitConfigurationMode) IS_MISSING3(GetIntervalDecimal) IS_MISSING3(GetIntervalFraction)
IS_MISSING3(GetShiftDecimal) IS_MISSING3(GetShiftFraction) IS_MISSING3(SetIntervalDecimal)
IS_MISSING3(SetIntervalFraction) IS_MISSING3(SetShiftDecimal) IS_MISSING3(SetShiftFraction)
IS_MISSING3(EvaluateDiscreteStates) IS_MISSING3(CompletedIntegratorStep)
IS_MISSING3(GetEventIndicators) IS_MISSING3(GetNominalsOfContinuousStates)
IS_MISSING3(GetNumberOfEventIndicators) IS_MISSING3(GetNumberOfContinuousStates)
IS_MISSING3(EnterStepMode) IS_MISSING3(GetOutputDerivatives)
IS_MISSING3(ActivateModelPartition)
